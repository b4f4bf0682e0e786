/** PostgreSQL for tests: whether it is here, and a server of a test file's own. */
import { postgres } from "../scripts/lib/debian.mjs";

export { PostgresServer } from "../scripts/lib/postgres.mjs";

/** Why tests with PostgreSQL cannot run here; undefined when they can. In CI they must. */
export const noPostgres: string | undefined =
  postgres.find() === undefined && process.env["CI"] !== "true"
    ? "PostgreSQL is not installed: sudo apt-get install postgresql"
    : undefined;
