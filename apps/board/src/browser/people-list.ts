/** Who is at the board: a row of faces, each a way to where that person is. */

import { playerColour } from "@nearfield/kit";
import { make, setText } from "@nearfield/kit/browser";
import { agoWords } from "./freshness.ts";
import type { SeenPerson } from "./network.ts";

export class PeopleList {
  readonly #list: HTMLElement;
  readonly #jump: (number: number) => void;
  /** By number. */
  readonly #faces = new Map<number, HTMLButtonElement>();

  constructor(list: HTMLElement, jump: (number: number) => void) {
    this.#list = list;
    this.#jump = jump;
  }

  show(people: readonly SeenPerson[], timeMs: number): void {
    const here = new Set(people.map(({ number }) => number));
    for (const [number, face] of this.#faces) {
      if (here.has(number)) continue;
      face.parentElement!.remove();
      this.#faces.delete(number);
    }
    for (const person of people) this.#showOne(person, timeMs);
  }

  #showOne({ number, name, colour, away, isSelf, cursor }: SeenPerson, timeMs: number): void {
    let face = this.#faces.get(number);
    if (face === undefined) {
      face = make("button", { type: "button", style: `--colour:${playerColour(colour)}` }, make("b"), make("span"));
      face.addEventListener("click", () => this.#jump(number));
      this.#faces.set(number, face);
      const item = make("li", {}, face);
      if (isSelf) this.#list.prepend(item);
      else this.#list.append(item);
    }
    const [letter, label] = face.children as unknown as [HTMLElement, HTMLElement];
    setText(letter, [...name][0]?.toUpperCase() ?? "?");
    setText(label, isSelf ? `${name} (you)` : name);
    face.dataset["away"] = String(away);
    face.dataset["name"] = name;
    const ago = cursor && !isSelf ? agoWords(timeMs - cursor.knownMs) : "";
    const where = away ? "away" : ago === "" ? "here" : `seen ${ago}`;
    const title = isSelf ? `${name}: you` : `${name}: ${where}. Press to go there.`;
    if (face.title !== title) face.title = title;
  }
}
