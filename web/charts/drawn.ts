/** All that draws with the library of charts: more than the rest of the page, so it is loaded beside it. */

export { StoryTold } from '../parts/story-told.tsx';
export { MarketChart } from './market-chart.ts';
export { TimeChart } from './time-chart.tsx';
