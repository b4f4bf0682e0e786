/** A small recording of a network: three quick seconds without loss, then three slow ones in which a fifth is lost. */

export const NETWORK_ROWS = 60;

export function networkCsv(): string {
  const rows = Array.from({ length: NETWORK_ROWS }, (_, row) =>
    row < NETWORK_ROWS / 2 ? `${row * 100},40,0` : `${row * 100},300,0.2`,
  );
  return `t_ms,rtt_ms,loss\n${rows.join("\n")}\n`;
}
