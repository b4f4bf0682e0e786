/** The rooms of all servers, as one of them knows them, for an operator. Private rooms and those of matches are in it too. */
export interface RoomsPicture {
  /** The server that keeps parties and queues; 0: none yet. */
  readonly keeper: number;
  /** At most `MOST_PICTURED`, by server and name. */
  readonly rooms: readonly PicturedRoom[];
  readonly roomsInAll: number;
}

export interface PicturedRoom {
  readonly server: number;
  readonly name: string;
  /** `match`: its places belong to the players of a match. */
  readonly kind: "public" | "private" | "match";
  readonly players: number;
  readonly places: number;
}

export const MOST_PICTURED = 100;
