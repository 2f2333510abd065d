export * from './global-config.ts';
export * from './lending-market.ts';
export * from './obligation.ts';
export * from './reserve.ts';
export * from './user-metadata.ts';
export * from './withdraw-ticket.ts';
