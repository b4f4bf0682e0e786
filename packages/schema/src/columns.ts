/**
 * Columns: the fields of all objects of one type, one array for each field, one row for each object.
 *
 * Numeric fields lie in `Float64Array`s, the others in plain arrays. In the form `value` a number column holds column numbers
 * (the server's primaries), in the form `wire` wire numbers (what is compared and sent). A row that was never set, or was
 * cleared, holds the initial values. The caller decides which row belongs to which object.
 */

import { IS_DEVELOPMENT } from "#development";
import type { NamedField } from "./describe.ts";
import { SchemaError } from "./errors.ts";
import type { Wire } from "./field.ts";
import { doubling, type Growth } from "./growth.ts";

export type ColumnForm = "value" | "wire";

/** What a cell holds: in the form `value` the field's value, whose type the caller knows. */
export type Cell<Form extends ColumnForm> = Form extends "wire" ? Wire : unknown;

const FIRST_CAPACITY = 16;
const NO_NUMBERS: Float64Array = new Float64Array(0);

export class Columns<Form extends ColumnForm = ColumnForm> {
  readonly fields: readonly NamedField[];
  readonly form: Form;
  /** By field index; empty where the field is not numeric. */
  private readonly numberColumns: Float64Array[];
  /** By field index; empty where the field is numeric. */
  private readonly plainColumns: unknown[][];
  /** By field index: what a cell that was never set holds. */
  private readonly initials: readonly Cell<Form>[];
  private readonly growth: Growth;
  private rows = 0;

  constructor(fields: readonly NamedField[], form: Form, growth: Growth = doubling) {
    this.fields = fields;
    this.form = form;
    this.growth = growth;
    this.numberColumns = fields.map(() => NO_NUMBERS);
    this.plainColumns = fields.map(() => []);
    this.initials = fields.map(
      ({ field }) => (form === "value" ? field.initial : field.toWire(field.initial)) as Cell<Form>,
    );
    this.reserve(FIRST_CAPACITY);
  }

  /** How many rows there is room for; it grows when a row beyond it is set (`growth.ts`). */
  get capacity(): number {
    return this.rows;
  }

  /** The column itself, for loops over many rows. It is replaced when the columns grow: get it again in every round. */
  numbers(fieldIndex: number): Float64Array {
    const column = this.numberColumns[fieldIndex];
    if (column !== undefined && column !== NO_NUMBERS) return column;
    const name = this.fields[fieldIndex]?.name ?? `field ${fieldIndex}`;
    throw new SchemaError("unknown", name, IS_DEVELOPMENT && "is not a numeric field of these columns");
  }

  get(fieldIndex: number, row: number): Cell<Form> {
    if (row >= this.rows) return this.initials[fieldIndex]!;
    const field = this.fields[fieldIndex]!.field;
    if (!field.numeric) return this.plainColumns[fieldIndex]![row] as Cell<Form>;
    const number = this.numberColumns[fieldIndex]![row]!;
    return (this.form === "value" ? field.fromNumber(number) : number) as Cell<Form>;
  }

  /** Expects a value that passed the field's check, or a wire form. Room is made for a row beyond the last. */
  set(fieldIndex: number, row: number, cell: Cell<Form>): void {
    if (row >= this.rows) this.reserve(row + 1);
    const field = this.fields[fieldIndex]!.field;
    if (!field.numeric) this.plainColumns[fieldIndex]![row] = cell;
    else this.numberColumns[fieldIndex]![row] = this.form === "value" ? field.toNumber(cell) : (cell as number);
  }

  /** Gives every field of the row its initial value. */
  clear(row: number): void {
    if (row >= this.rows) return;
    for (const { index } of this.fields) this.set(index, row, this.initials[index]!);
  }

  /** Makes room for at least `rows` rows. */
  reserve(rows: number): void {
    if (rows <= this.rows) return;
    const room = this.growth.roomFor(rows, this.rows);
    for (const { index, field } of this.fields) {
      if (field.numeric) {
        const numbers = this.growth.grown(this.numberColumns[index]!, room);
        numbers.fill(this.form === "value" ? field.toNumber(field.initial) : field.toWire(field.initial), this.rows);
        this.numberColumns[index] = numbers;
      } else {
        const items = this.plainColumns[index]!;
        while (items.length < room) items.push(this.initials[index]);
      }
    }
    this.rows = room;
  }
}
