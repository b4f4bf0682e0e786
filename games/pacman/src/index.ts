export { Dice } from "./dice.ts";
