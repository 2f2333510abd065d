import type { Logger } from '#core/base/logger.ts';

const ignore = () => undefined;

export const silentLog: Logger = { debug: ignore, info: ignore, warn: ignore, error: ignore };
