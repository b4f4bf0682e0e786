/** The WebSocket subprotocols by which the two sides agree on signals. A file of its own: a page needs the names before it loads signals. */

/**
 * The WebSocket subprotocol by which a client says that it understands signals. One that does not, such as a page of an older version, is sent
 * none.
 */
export const SIGNALS_PROTOCOL = "nearfield.udp";
/** What a page asks for besides. A server without UDP chooses it, so that the page need not load the code of the data channel. */
export const PLAIN_PROTOCOL = "nearfield";
