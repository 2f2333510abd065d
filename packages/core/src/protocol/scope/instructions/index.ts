export * from './refresh-price-list.ts';
