import type { Logger } from '../../src/base/log.ts';

const nothing = () => undefined;

export const silentLog: Logger = { debug: nothing, info: nothing, warn: nothing, error: nothing };
