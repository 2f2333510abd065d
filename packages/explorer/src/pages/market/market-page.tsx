import { Empty } from '../../components/empty.tsx';

export const MarketPage = () => <Empty title="This page is in preparation" />;
