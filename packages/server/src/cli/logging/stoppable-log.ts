import type { Logger } from '@tidegate/core/base';

/** A log that falls silent once its owner was stopped: what was under way then fails as it should. */
export function createStoppableLog(isStopped: () => boolean, log: Logger): Logger {
  const write =
    (level: keyof Logger): Logger['info'] =>
    (facts, message) => {
      if (!isStopped()) log[level](facts, message);
    };
  return {
    debug: write('debug'),
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
  };
}
