import type { Logger } from '#core/base/logger.ts';

const nothing = () => undefined;

export const silentLog: Logger = { debug: nothing, info: nothing, warn: nothing, error: nothing };
