/**
 * The one direction of dependency, checked (docs/decisions/0001-repository-layout.md).
 *
 * `arrows` is the whole truth: what a package may import, and nothing else. A new package is refused until it has a
 * line here. Test files may also use netlab, fast-check and the like; they keep the arrows otherwise.
 */

/** Package → the packages it may import. */
const arrows = {
  schema: [],
  simulation: ["schema"],
  rollback: ["schema", "simulation", "transport"],
  presentation: ["schema"],
  core: ["schema", "presentation"],
  transport: [],
  protocol: ["schema", "core"],
  server: ["schema", "simulation", "presentation", "core", "protocol", "transport"],
  client: ["schema", "simulation", "presentation", "core", "protocol", "transport"],
  inspector: ["schema", "core", "protocol", "transport", "server"],
  store: ["schema"],
  social: ["schema", "rollback", "server", "client", "store"],
  cluster: ["schema", "core", "protocol", "transport", "server", "store", "social"],
  netlab: ["schema", "core", "rollback", "transport", "server", "client"],
};

/** Product packages: all but the test kit. */
const products = Object.keys(arrows).filter((name) => name !== "netlab");

const tests = "\\.test\\.ts$|^[^/]+/[^/]+/test/|^bench/test/";
const compiled = "/dist/";
const anyOf = (/** @type {readonly string[]} */ names) => `(${names.join("|")})`;

const arrowRules = Object.entries(arrows).map(([name, allowed]) => ({
  name: `${name}-imports-only-${allowed.join("-") || "nothing"}`,
  comment: `packages/${name} may import ${allowed.join(", ") || "no other package"}`,
  severity: "error",
  from: { path: `^packages/${name}/src/`, pathNot: tests },
  to: { path: "^packages/([^/]+)/", pathNot: `^packages/${anyOf([name, ...allowed])}/` },
}));

export default {
  forbidden: [
    ...arrowRules,
    {
      name: "package-without-arrows",
      comment: "give the new package its line in `arrows` (.dependency-cruiser.mjs)",
      severity: "error",
      from: { path: "^packages/", pathNot: `^packages/${anyOf(Object.keys(arrows))}/` },
      to: {},
    },
    {
      name: "no-cycle",
      comment: "judged on the compiled modules, where types that merely name each other are gone",
      severity: "error",
      from: { path: compiled },
      to: { circular: true },
    },
    {
      name: "kernel-stands-alone",
      comment: "the kernel is compiled by itself: it shares the layout of memory with the engine and nothing else",
      severity: "error",
      from: { path: "^packages/core/kernel/" },
      to: { pathNot: "^packages/core/(kernel/|src/engine/memory/layout\\.ts$)" },
    },
    {
      name: "kernel-only-as-compiled",
      comment: "it is no TypeScript; what runs is kernel-binary.ts",
      severity: "error",
      from: { pathNot: "^packages/core/kernel/" },
      to: { path: "^packages/core/kernel/" },
    },
    {
      name: "no-netlab-in-products",
      comment:
        "the test kit is for tests, benchmarks, and the playground's two laboratories: the simulator, and the networks that its operator puts players through",
      severity: "error",
      from: {
        path: `^(packages/${anyOf(products)}|games|apps)/`,
        pathNot: [tests, "^apps/playground/(web/simulator/|(src|dist)/network-conditions\\.)"],
      },
      to: { path: "^packages/netlab/" },
    },
    {
      name: "packages-below-games",
      comment: "packages know no game, app or benchmark",
      severity: "error",
      from: { path: "^packages/" },
      to: { path: "^(games|apps|bench)/" },
    },
    {
      name: "games-stand-alone",
      comment: "a game imports public packages and games/kit only, never another game, an app or a benchmark",
      severity: "error",
      from: { path: "^games/([^/]+)/" },
      to: { path: "^(games|apps|bench)/", pathNot: "^games/($1|kit)/" },
    },
    {
      name: "kit-knows-client-only",
      comment: "what every game shares knows how a player's link stands, and no game, app, server or benchmark",
      severity: "error",
      from: { path: "^games/kit/src/", pathNot: tests },
      to: { path: "^(packages|games|apps|bench)/", pathNot: "^(games/kit|packages/client)/" },
    },
    {
      name: "kit-elements-stand-alone",
      comment: "apps take the kit's words for elements too, and are to get nothing else with them",
      severity: "error",
      from: { path: "^games/kit/src/browser/" },
      to: { pathNot: "^games/kit/src/browser/" },
    },
    {
      name: "inspector-knows-telemetry-only",
      comment:
        "what the server's feed does not tell, the inspector does not know. Of packages/inspector it imports types, and one pure file: recorded-cell.ts, which answers for a recorded moment by core's own cell rules. So the rules stand once, and the page needs no way to core (its tests name both imports, and what the page bundles)",
      severity: "error",
      from: { path: "^apps/inspector/(src|web)/", pathNot: tests },
      to: { path: "^(packages|games)/", pathNot: "^(packages/inspector|games/kit/(src|dist)/browser)/" },
    },
    {
      name: "board-is-like-a-game",
      comment: "the board imports public packages and games/kit, and no game, app or benchmark",
      severity: "error",
      from: { path: "^apps/board/" },
      to: { path: "^(games|apps|bench)/", pathNot: "^(apps/board|games/kit)/" },
    },
    {
      name: "board-rules-below-its-page",
      comment: "the board's rules know neither its page nor its web server",
      severity: "error",
      from: { path: "^apps/board/src/", pathNot: [tests, "^apps/board/src/(node|browser)/"] },
      to: { path: "^apps/board/src/(node|browser)/" },
    },
    {
      name: "public-entry-points-only",
      comment: "another package is imported by its name, through index.ts; tests may share contract suites",
      severity: "error",
      from: { path: "^(packages|games|apps|bench)/([^/]+)/" },
      to: {
        path: "^(packages|games)/[^/]+/",
        pathNot: [
          "^$1/$2/",
          "^(packages|games)/[^/]+/(src|dist)/((node|browser|rooms|seam|units|views|writing|gateways|session|trust|mesh|spaces|peer|client|internal)/)?index\\.(ts|js)$",
          "^packages/[^/]+/test/",
        ],
      },
    },
    {
      name: "internal-is-ours",
      comment:
        "a game uses what every game may use; `/internal` is for packages, apps and benchmarks of this repository",
      severity: "error",
      from: { path: "^(games/[^/]+|apps/board)/(src|web)/", pathNot: tests },
      to: { path: "^packages/[^/]+/(src|dist)/internal/" },
    },
    {
      name: "main-entry-is-pure",
      comment: "main entry points touch neither Node, nor DOM, nor npm packages; /node and /browser bring those",
      severity: "error",
      from: { path: "^packages/[^/]+/src/", pathNot: [tests, "^packages/[^/]+/src/(node|browser)/"] },
      to: { dependencyTypes: ["core", "npm", "npm-dev", "npm-optional", "npm-peer", "npm-no-pkg", "npm-unknown"] },
    },
    {
      name: "main-entry-below-node-and-browser",
      comment: "/node and /browser build on the main entry point, never the other way round",
      severity: "error",
      from: { path: "^(packages|games)/[^/]+/src/", pathNot: [tests, "^[^/]+/[^/]+/src/(node|browser)/"] },
      to: { path: "^(packages|games)/[^/]+/src/(node|browser)/" },
    },
    {
      name: "browser-without-node",
      comment: "browser code reaches no Node module",
      severity: "error",
      from: { path: "^[^/]+/[^/]+/(src/browser|web)/", pathNot: tests },
      to: { path: "/src/node/" },
    },
    {
      name: "browser-without-node-builtins",
      comment: "browser code reaches no Node module",
      severity: "error",
      from: { path: "^[^/]+/[^/]+/(src/browser|web)/", pathNot: tests },
      to: { dependencyTypes: ["core"] },
    },
    {
      name: "node-without-browser",
      severity: "error",
      from: { path: "^[^/]+/[^/]+/src/node/", pathNot: tests },
      to: { path: "/src/browser/" },
    },
    {
      name: "page-without-server",
      comment: "what a game's page imports, however indirectly, is no part of the server",
      severity: "error",
      from: { path: "^(games/[^/]+|apps/board)/(src/browser|web)/", pathNot: tests },
      to: { path: "^packages/server/src/(node/)?index\\.ts$", reachable: true },
    },
    {
      name: "members-without-server",
      comment: "what a page imports to take part in an action space, however indirectly, is no part of the server",
      severity: "error",
      from: { path: "^packages/(social/src/peer|rollback/src)/", pathNot: tests },
      to: { path: "^packages/server/src/", reachable: true },
    },
    {
      name: "no-dev-dependency-in-products",
      severity: "error",
      from: { path: "^(packages|games|apps|bench)/[^/]+/(src|web)/", pathNot: tests },
      to: { dependencyTypes: ["npm-dev"] },
    },
    {
      name: "undeclared-dependency",
      comment: "list it in the package.json of the importing workspace",
      severity: "error",
      from: { path: "^(packages|games|apps)/[^/]+/(src|web)/|^bench/src/", pathNot: tests },
      to: { dependencyTypes: ["npm-no-pkg", "npm-unknown"] },
    },
    { name: "not-found", severity: "error", from: { pathNot: compiled }, to: { couldNotResolve: true } },
    {
      name: "no-test-in-products",
      severity: "error",
      from: { pathNot: [tests, "^test/"] },
      to: { path: tests },
    },
  ],
  options: {
    parser: "swc",
    tsPreCompilationDeps: true,
    combinedDependencies: false,
    doNotFollow: { path: "node_modules" },
    exclude: { path: "/dist/page/|\\.d\\.ts$" },
    enhancedResolveOptions: {
      conditionNames: ["nearfield:source", "import", "types", "node", "default"],
      exportsFields: ["exports"],
      extensions: [".ts", ".mjs", ".js"],
    },
    moduleSystems: ["es6"],
  },
};
