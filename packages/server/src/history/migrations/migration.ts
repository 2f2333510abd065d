/** Changes that are never changed again: what was released has run on somebody's database. */
export type Migration = {
  readonly name: string;
  readonly statements: (facts: DatabaseFeatures) => readonly string[];
};

export type DatabaseFeatures = {
  /** Whether TimescaleDB is installed in the database; tables of minutes are then its hypertables. */
  readonly hasTimescale: boolean;
};
