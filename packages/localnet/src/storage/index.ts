export { lockFolder } from './folder-lock.ts';
