/** @nearfield/social/node: accounts and whatever else needs Node. */

export {};
