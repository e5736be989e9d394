import type { ComponentProps } from 'react';
import { ScreenLink } from '../overlay/ScreenLink.tsx';

/** Leads from a row that sums others up, and is no noun's, to the list of those, by the search that finds them. */
export const DrillLink = (props: ComponentProps<typeof ScreenLink>) => <ScreenLink {...props} />;
