/** @nearfield/social/internal: what players have and who they are, beyond one match. */

export {};
