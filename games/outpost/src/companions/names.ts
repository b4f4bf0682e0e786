/** What the town's own people are called. */

const NAMES = [
  "Alba",
  "Bram",
  "Cleo",
  "Dorn",
  "Edda",
  "Finn",
  "Greta",
  "Hollis",
  "Ines",
  "Jory",
  "Kestrel",
  "Lorn",
  "Mira",
  "Nox",
  "Odo",
  "Pia",
  "Quill",
  "Runa",
  "Sten",
  "Tova",
] as const;

export function companionName(index: number): string {
  const round = Math.floor(index / NAMES.length);
  return round === 0 ? NAMES[index % NAMES.length]! : `${NAMES[index % NAMES.length]} ${round + 1}`;
}
