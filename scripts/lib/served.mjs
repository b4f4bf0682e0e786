/** Finds what a newcomer would use: the first command of the README, and the files that a served page refers to. */

/** The first command of a document's first shell block, without its comment. @param {string} markdown @returns {string | undefined} */
export function firstCommand(markdown) {
  const [, block] = /^```sh\n([\s\S]*?)^```$/m.exec(markdown) ?? [];
  return (
    block
      ?.split("\n")[0]
      ?.replace(/\s+#.*$/, "")
      .trim() || undefined
  );
}

/** The address that a start prints. @param {string} output @returns {string | undefined} */
export function addressIn(output) {
  return /^Nearfield playground:\s+(http:\/\/\S+)\n/m.exec(output)?.[1];
}

/**
 * Where a page's links, scripts, styles and pictures are, as far as this server has them.
 *
 * @param {string} html
 * @param {string} address of the page
 * @returns {string[]} addresses, each once
 */
export function addressesIn(html, address) {
  const found = [...html.matchAll(/\s(?:href|src)="([^"#]+)[^"]*"/g)].map((match) => new URL(match[1] ?? "", address));
  return [...new Set(found.filter(({ origin }) => origin === new URL(address).origin).map(({ href }) => href))];
}
