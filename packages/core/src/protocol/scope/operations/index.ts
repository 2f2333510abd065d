export * from './refresh-entry.ts';
