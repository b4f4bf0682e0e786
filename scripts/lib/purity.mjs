/**
 * Finds what makes a source impure: references to globals of the host, dice, and inexact Math.
 *
 * It reads the syntax tree, so comments, strings, property names and types called like a global are not mistaken.
 */
import { parseSync, Visitor } from "vite";
import { lineAt } from "./files.mjs";

const hostGlobals = new Set([
  ...["Date", "performance", "crypto"],
  ...["setTimeout", "setInterval", "setImmediate", "queueMicrotask", "requestAnimationFrame", "requestIdleCallback"],
  ...["process", "Buffer", "console", "globalThis", "window", "document", "navigator", "location", "localStorage"],
  ...["fetch", "WebSocket", "RTCPeerConnection", "Worker", "eval", "Function"],
]);

/** Each engine computes these as it likes; `@nearfield/simulation` has most of them to the same bits. */
const differingMath = new Set([
  ...["sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh"],
  ...["exp", "expm1", "log", "log1p", "log2", "log10", "pow", "cbrt"],
]);

/**
 * What a source uses and may not.
 *
 * @param {string} path
 * @param {string} text
 * @param {{ bitExact?: boolean }} [options] bitExact: also refuse Math whose last bits differ between engines
 */
export function findImpurities(path, text, { bitExact = false } = {}) {
  const { program, errors } = parseSync(path, text);
  if (errors.length > 0) return [`${path}: does not parse: ${errors[0]?.message}`];
  /** @type {string[]} */
  const found = [];
  const add = (/** @type {number} */ offset, /** @type {string} */ what, advice = "take it as a parameter") =>
    found.push(`${path}:${lineAt(text, offset)}: ${what} in a pure source; ${advice}`);
  const addDiffering = (/** @type {number} */ offset, /** @type {string} */ what) =>
    add(offset, `${what}, which differs between machines,`, "see the math of @nearfield/simulation");
  /** Names that are not references: property names and keys. @type {Set<number>} */
  const labels = new Set();
  /** Names the module declares itself. @type {Set<string>} */
  const own = new Set();
  /** @type {{ name: string, start: number }[]} */
  const references = [];
  new Visitor({
    MemberExpression(node) {
      if (node.computed || node.property.type !== "Identifier") return;
      labels.add(node.property.start);
      if (node.object.type !== "Identifier" || node.object.name !== "Math") return;
      const name = node.property.name;
      if (name === "random") add(node.start, "Math.random");
      else if (bitExact && differingMath.has(name)) addDiffering(node.start, `Math.${name}`);
    },
    BinaryExpression({ operator, left, right, start }) {
      // 2 ** 20 is a way to write a constant; other powers are Math.pow.
      const isConstant = left.type === "Literal" && right.type === "Literal";
      if (bitExact && operator === "**" && !isConstant) addDiffering(start, "**");
    },
    AssignmentExpression({ operator, start }) {
      if (bitExact && operator === "**=") addDiffering(start, "**=");
    },
    Property(node) {
      if (!node.computed && !node.shorthand) labels.add(node.key.start);
    },
    MethodDefinition(node) {
      if (!node.computed) labels.add(node.key.start);
    },
    PropertyDefinition(node) {
      if (!node.computed) labels.add(node.key.start);
    },
    ImportSpecifier(node) {
      own.add(node.local.name);
    },
    VariableDeclarator(node) {
      if (node.id.type === "Identifier") own.add(node.id.name);
    },
    TSPropertySignature(node) {
      if (!node.computed) labels.add(node.key.start);
    },
    TSMethodSignature(node) {
      if (!node.computed) labels.add(node.key.start);
    },
    Identifier(node) {
      if (hostGlobals.has(node.name)) references.push(node);
    },
  }).visit(program);
  for (const { name, start } of references) {
    if (!labels.has(start) && !own.has(name)) add(start, name);
  }
  return found;
}
