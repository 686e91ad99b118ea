/**
 * What a player has pencilled on the stones. It stays in this browser, for one table and one seat:
 * nothing of it is ever sent.
 */
import { keep, kept } from '$web/kit/storage';
import { CELLS } from './grid';

type Marks = Record<number, number[]>;

const addressOf = (table: string, seat: number | null) =>
  `kotatsu.kakuzu.marks.${table}.${seat ?? 'watching'}`;

export class Pencil {
  #marks = $state.raw<Marks>({});
  readonly #address: string;

  constructor(table: string, seat: number | null) {
    this.#address = addressOf(table, seat);
    this.#marks = read(this.#address);
  }

  get any(): boolean {
    return Object.keys(this.#marks).length > 0;
  }

  on(cell: number): readonly number[] {
    return this.#marks[cell] ?? [];
  }

  toggle(cell: number, digit: number): void {
    const before = this.on(cell);
    const after = before.includes(digit)
      ? before.filter((each) => each !== digit)
      : [...before, digit].toSorted((a, b) => a - b);
    this.#keep({ ...this.#marks, [cell]: after });
  }

  erase(cell: number): void {
    this.#keep({ ...this.#marks, [cell]: [] });
  }

  eraseAll(): void {
    if (this.any) this.#keep({});
  }

  #keep(marks: Marks): void {
    this.#marks = Object.fromEntries(Object.entries(marks).filter(([, digits]) => digits.length > 0));
    keep(this.#address, this.any ? JSON.stringify(this.#marks) : null);
  }
}

function read(address: string): Marks {
  try {
    const found: unknown = JSON.parse(kept(address) ?? '{}');
    const entries = Object.entries(found as Record<string, unknown>).filter(
      (entry): entry is [string, number[]] => isCell(entry[0]) && isDigits(entry[1]),
    );
    return Object.fromEntries(entries);
  } catch {
    return {};
  }
}

const isCell = (key: string): boolean => /^\d+$/.test(key) && Number(key) < CELLS;
const isDigits = (value: unknown): boolean =>
  Array.isArray(value) && value.every((digit) => Number.isInteger(digit) && digit >= 1 && digit <= 9);
