import { createDeferred } from '../../chain/deferred.ts';
import type { Config } from '../../cli/settings/settings.ts';

type EndSignal = 'SIGTERM' | 'SIGINT';

const END_SIGNALS: readonly EndSignal[] = ['SIGTERM', 'SIGINT'];
/** Numbers of the signals; a shell reports 128 and the number. */
const numbers = { SIGINT: 2, SIGTERM: 15 } as const;

type Signals = {
  readonly first: Promise<EndSignal>;
  readonly stop: () => void;
};

/** The first signal to end; `onSecond` gets each later one. */
export function watchSignals(onSecond: (signal: EndSignal) => void): Signals {
  const { promise: first, resolve } = createDeferred<EndSignal>();
  let isEnding = false;
  const listener = (signal: NodeJS.Signals): void => {
    const [known] = END_SIGNALS.filter((each) => each === signal);
    if (known === undefined) return;
    if (isEnding) onSecond(known);
    isEnding = true;
    resolve(known);
  };
  for (const signal of END_SIGNALS) process.on(signal, listener);
  return {
    first,
    stop() {
      for (const signal of END_SIGNALS) process.off(signal, listener);
    },
  };
}

/** Open requests are lost; data is as after a crash, which loses none. */
export const exitAtOnce = (signal: EndSignal): never => process.exit(128 + numbers[signal]);

/** A supervisor sends SIGTERM. SIGINT is a person at a terminal, who waits and has no proxy. */
export const drainMsOf = (
  signal: EndSignal | undefined,
  { drainSeconds }: Pick<Config, 'drainSeconds'>,
): number => (signal === 'SIGTERM' ? drainSeconds * 1000 : 0);
