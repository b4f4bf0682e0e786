/**
 * The text of a file that somebody chose or dropped: csv, or csv packed with gzip, whatever it is called. It is read piece by piece, and no
 * further than `MOST_BYTES`, so that a file which unpacks to gigabytes costs no more than one that does not.
 */

/** About a million rows: read within a second or two, and hours of any recording. */
export const MOST_BYTES: number = 16 * 1024 * 1024;

const MEGABYTE = 1024 * 1024;
const GZIP_MARK = [0x1f, 0x8b];

export type FileErrorCode = "too-large" | "not-unpacked" | "not-text" | "unreadable";

/** What is wrong with the file, and what to do; for people. */
export class FileError extends Error {
  readonly code: FileErrorCode;

  constructor(code: FileErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

export async function readCsvFile(file: File, mostBytes: number = MOST_BYTES): Promise<string> {
  if (file.size > mostBytes) throw tooLarge(file, `has ${Math.ceil(file.size / MEGABYTE)} MB`, mostBytes);
  const isPacked = await hasGzipMark(file);
  const bytes = isPacked ? file.stream().pipeThrough(new DecompressionStream("gzip")) : file.stream();
  const reader = bytes.getReader();
  try {
    return await readText(file, reader, isPacked, mostBytes);
  } finally {
    // What is left unread, nobody unpacks.
    void reader.cancel().catch(() => undefined);
  }
}

async function readText(
  file: File,
  reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>,
  isPacked: boolean,
  mostBytes: number,
): Promise<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let text = "";
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read().catch(() => {
      throw isPacked ? notUnpacked(file) : unreadable(file);
    });
    size += value?.length ?? 0;
    if (size > mostBytes) throw tooLarge(file, `unpacks to more than ${mostBytes / MEGABYTE} MB`, mostBytes);
    text += decode(decoder, value, file);
    if (done) return text;
  }
}

async function hasGzipMark(file: File): Promise<boolean> {
  const start = await file
    .slice(0, GZIP_MARK.length)
    .arrayBuffer()
    .catch(() => {
      throw unreadable(file);
    });
  const bytes = new Uint8Array(start);
  return GZIP_MARK.every((byte, at) => bytes[at] === byte);
}

/** Undefined ends the text. */
function decode(decoder: TextDecoder, bytes: Uint8Array<ArrayBuffer> | undefined, { name }: File): string {
  try {
    const text = bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true });
    if (!text.includes("\0")) return text;
  } catch {
    // Said below.
  }
  throw new FileError("not-text", `${name} is no text. Choose a csv, or a csv packed with gzip`);
}

function tooLarge({ name }: File, what: string, mostBytes: number): FileError {
  return new FileError(
    "too-large",
    `${name} ${what}; at most ${mostBytes / MEGABYTE} can be read. Cut it to fewer rows`,
  );
}

function notUnpacked({ name }: File): FileError {
  return new FileError("not-unpacked", `${name} cannot be unpacked: it is damaged or cut short. Get or pack it again`);
}

function unreadable({ name }: File): FileError {
  return new FileError("unreadable", `${name} cannot be read. If it was moved or changed meanwhile, choose it again`);
}
