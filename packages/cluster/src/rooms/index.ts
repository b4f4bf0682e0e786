/** @nearfield/cluster/rooms: rooms, parties and matching over all servers of a cluster. */

export { type SpreadRoomsOptions, spreadRooms } from "./spread-rooms.ts";
