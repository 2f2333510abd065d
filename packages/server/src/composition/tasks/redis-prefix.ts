/** All keys in Redis begin with it. */
export const REDIS_PREFIX = 'tidegate';
