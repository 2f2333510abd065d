import { Empty } from '../../components/empty.tsx';

export const ReservePage = () => <Empty title="This page is in preparation" />;
