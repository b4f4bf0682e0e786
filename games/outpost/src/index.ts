/** @nearfield/outpost: a town and its dungeons. */

export {};
