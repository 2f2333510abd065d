export { hasStoredCluster } from './cluster-store.ts';
export { lockFolder } from './folder-lock.ts';
