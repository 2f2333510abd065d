import type { Logger } from '@tidegate/core/base';

/** A log that is silent after a stop, when pending work fails as expected. */
export function createStoppableLog(isStopped: () => boolean, log: Logger): Logger {
  const write =
    (level: keyof Logger): Logger['info'] =>
    (fields, message) => {
      if (!isStopped()) log[level](fields, message);
    };
  return {
    debug: write('debug'),
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
  };
}
