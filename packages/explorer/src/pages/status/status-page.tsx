import { Empty } from '../../components/empty.tsx';

export const StatusPage = () => <Empty title="This page is in preparation" />;
