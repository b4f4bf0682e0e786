/** @nearfield/rollback/browser: data channels between players in a page, by its own WebRTC. */

/** The option `peers` of `enterSpace` in a page. */
export { openBrowserPeer as browserPeers } from "@nearfield/transport/browser";
