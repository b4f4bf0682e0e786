/**
 * Writing on a note: a field over the note, in the note's own letters. A note that is on the board already is locked first, and nobody else can write
 * on it meanwhile. What is typed shows to others as a draft, letter by letter. The words go on the board when the field is left, and every
 * 20 seconds, so that a turn comes to an end if somebody waits for it.
 */

import { lock, release } from "@nearfield/client/writing";
import { find } from "@nearfield/kit/browser";
import type { ObjectId } from "@nearfield/schema";
import { Note } from "../shared.ts";
import { cleanWords, fitting } from "../words.ts";
import type { Camera } from "./camera.ts";
import { LINE, layOut, PADDING } from "./draw/lay-out.ts";
import type { Network } from "./network.ts";
import { INK, NOTE_SIDES, ON_PAPER, PAPER, TEXT_SIZES, TEXT_WRAP } from "./palette.ts";
import type { Scribe } from "./scribe.ts";
import type { ShownNote } from "./thing.ts";

const TURN_MS = 20_000;

export interface Sheet {
  readonly key: number;
  readonly x: number;
  readonly y: number;
  readonly colour: number;
  readonly size: number;
  readonly plain: boolean;
  readonly words: string;
}

export interface EditorOptions {
  readonly root: HTMLElement;
  readonly network: Network;
  readonly scribe: Scribe;
  /** A new note is finished. */
  readonly put: (sheet: Sheet) => void;
  /** A note that was there says something else now. */
  readonly wrote: (key: number, before: string, after: string) => void;
  /** Says something to the person. */
  readonly say: (words: string) => void;
  /** Who else is writing on this note, and what. */
  readonly writerOf: (key: number) => { readonly name: string; readonly words: string } | undefined;
}

interface Session {
  readonly sheet: Sheet;
  /** Of the note on the board; undefined for a new one. */
  readonly id: ObjectId | undefined;
  state: "asking" | "writing";
  /** What the board says as far as this page knows. */
  base: string;
  turnMs: number;
}

export class Editor {
  readonly #options: EditorOptions;
  readonly #box: HTMLElement;
  readonly #field: HTMLTextAreaElement;
  readonly #hint: HTMLElement;
  #session: Session | undefined;
  #nowMs = 0;

  constructor(options: EditorOptions) {
    this.#options = options;
    this.#box = find("#editor", options.root);
    this.#field = find<HTMLTextAreaElement>("textarea", this.#box);
    this.#hint = find("#editor-hint", options.root);
    this.#field.addEventListener("input", () => this.#typed());
    this.#field.addEventListener("keydown", (event) => {
      event.stopPropagation();
      if (event.key === "Escape" || (event.key === "Enter" && (event.ctrlKey || event.metaKey))) this.close();
    });
    this.#field.addEventListener("blur", () => this.close());
  }

  /** Key of the note that is written on. */
  get key(): number | undefined {
    return this.#session?.sheet.key;
  }

  /** A note that is not on the board yet. */
  openNew(sheet: Sheet): void {
    this.#open(sheet, undefined);
  }

  openNote(note: ShownNote): void {
    const { key, x, y, colour, size, plain, words, id } = note;
    // One that was asked for a moment ago cannot be locked yet.
    if (id !== undefined) this.#open({ key, x, y, colour, size, plain, words }, id);
  }

  #open(sheet: Sheet, id: ObjectId | undefined): void {
    this.close();
    this.#session = {
      sheet,
      id,
      state: id === undefined ? "writing" : "asking",
      base: sheet.words,
      turnMs: this.#nowMs,
    };
    this.#field.value = sheet.words;
    this.#field.readOnly = id !== undefined;
    this.#box.dataset["plain"] = String(sheet.plain);
    this.#box.hidden = false;
    this.#field.focus({ preventScroll: true });
    this.#field.setSelectionRange(sheet.words.length, sheet.words.length);
    if (id !== undefined) this.#askForLock(this.#session, id);
    this.#showDraft();
  }

  #askForLock(session: Session, id: ObjectId): void {
    const { network } = this.#options;
    const client = network.client;
    const note = client?.world.get(Note, id);
    if (client === undefined || note === undefined || client.state === "ended") return;
    lock(client, note).then(
      (held) => {
        if (this.#session === session) this.#granted(session, held.words);
        else release(client, held);
      },
      () => {
        if (this.#session !== session) return;
        this.#options.say("This note cannot be written on now.");
        this.close();
      },
    );
  }

  #granted(session: Session, words: string): void {
    if (words !== this.#field.value) this.#field.value = words;
    session.base = words;
    session.state = "writing";
    session.turnMs = this.#nowMs;
    this.#field.readOnly = false;
    this.#showDraft();
  }

  #typed(): void {
    const session = this.#session;
    if (session === undefined) return;
    const fit = fitting(cleanWords(this.#field.value));
    if (fit !== this.#field.value) {
      const caret = this.#field.selectionStart;
      this.#field.value = fit;
      this.#field.setSelectionRange(caret, caret);
      this.#options.say("The note is full.");
    }
    this.#showDraft();
  }

  /** Others see what is typed, once it is this person's turn. */
  #showDraft(): void {
    const { network } = this.#options;
    if (this.#session?.state !== "writing") {
      network.showDraft(undefined);
      return;
    }
    const { key, x, y, colour, size, plain } = this.#session.sheet;
    network.showDraft({ key, x, y, colour, size, plain, words: this.#field.value });
  }

  close(): void {
    const session = this.#session;
    if (session === undefined) return;
    this.#session = undefined;
    this.#box.hidden = true;
    this.#hint.hidden = true;
    this.#showDraft();
    const { sheet, id, base, state } = session;
    const words = fitting(cleanWords(this.#field.value)).trimEnd();
    if (id === undefined) {
      if (words.trim() !== "") this.#options.put({ ...sheet, words });
    } else if (state === "writing") {
      this.#options.scribe.release(sheet.key, id, base, words);
      if (words !== sheet.words) this.#options.wrote(sheet.key, sheet.words, words);
    }
    this.#field.blur();
  }

  /** Puts the field over the note, says who writes, and ends a turn that was long. */
  frame(camera: Camera, nowMs: number): void {
    this.#nowMs = nowMs;
    const session = this.#session;
    if (session === undefined) return;
    this.#place(session.sheet, camera);
    if (session.state === "writing" && !this.#options.network.isDraftShown) this.#showDraft();
    const other = session.state === "asking" ? this.#options.writerOf(session.sheet.key) : undefined;
    if (other !== undefined && this.#field.value !== other.words) this.#field.value = other.words;
    this.#hint.hidden = session.state === "writing" || nowMs - session.turnMs < 300;
    this.#hint.textContent =
      other === undefined ? "Waiting for this note …" : `${other.name} is writing. You are next.`;
    if (session.state === "writing" && nowMs - session.turnMs > TURN_MS) this.#endTurn(session);
  }

  #endTurn(session: Session): void {
    session.turnMs = this.#nowMs;
    const { id, sheet } = session;
    const words = fitting(cleanWords(this.#field.value)).trimEnd();
    if (id === undefined || words === session.base || !this.#options.network.isLive) return;
    this.#options.scribe.release(sheet.key, id, session.base, words);
    session.base = words;
    session.state = "asking";
    this.#field.readOnly = true;
    this.#askForLock(session, id);
  }

  #place({ x, y, colour, size, plain }: Sheet, camera: Camera): void {
    const side = plain ? TEXT_SIZES[size]! * TEXT_WRAP : NOTE_SIDES[size]!;
    const letters = plain ? TEXT_SIZES[size]! : layOut(this.#field.value || " ", size).fontSize;
    const { style } = this.#box;
    style.transform = `translate(${camera.screenX(x)}px, ${camera.screenY(y)}px) scale(${camera.zoom})`;
    style.width = `${side}px`;
    style.height = plain ? "auto" : `${side}px`;
    style.padding = plain ? "0" : `${side * PADDING}px`;
    style.background = plain ? "transparent" : PAPER[colour]!;
    style.color = plain ? INK[colour]! : ON_PAPER;
    this.#field.style.fontSize = `${letters}px`;
    this.#field.style.lineHeight = String(LINE);
    if (plain) this.#field.rows = this.#field.value.split("\n").length;
    this.#hint.style.transform = `translate(${camera.screenX(x)}px, ${camera.screenY(y) - 34}px)`;
  }
}
