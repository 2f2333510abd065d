import type { LocalnetSettings, SimulationProgress } from '@tidegate/localnet';
import type { ProcessFailure } from '../../workers/process-failure.ts';

/** What the simulation process needs of the configuration. */
export type SimulationTask = {
  readonly settings: LocalnetSettings;
  readonly databaseUrl: string | undefined;
  readonly dataDir: string;
  /** Days to store raw data; 0 for all. */
  readonly rawRetentionDays: number;
};

/** Sent to the simulation process: its task, then perhaps that it must stop. */
export type SimulationCommand =
  | { readonly kind: 'simulate'; readonly task: SimulationTask }
  | { readonly kind: 'stop' };

/** Sent by the simulation process. The last message is `stored` or `failed`. */
export type SimulationMessage =
  | { readonly kind: 'progress'; readonly progress: SimulationProgress }
  | {
      readonly kind: 'log';
      readonly level: 'debug' | 'info' | 'warn' | 'error';
      readonly context: Readonly<Record<string, unknown>>;
      readonly message: string;
    }
  | { readonly kind: 'stored' }
  | { readonly kind: 'failed'; readonly failure: ProcessFailure };
