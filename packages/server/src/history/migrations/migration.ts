/** A schema change. Never edit a released migration: it has run on existing databases. */
export type Migration = {
  readonly name: string;
  readonly statements: (features: DatabaseFeatures) => readonly string[];
};

export type DatabaseFeatures = {
  /** Whether TimescaleDB is installed. Minute tables are then hypertables. */
  readonly hasTimescale: boolean;
};
