import type { ArmView } from '#server/page/history-view.ts';

/** What a person reads before a configuration is armed. */
export const armSays = ({
  unrehearsed,
  elsewhere,
  before,
  differences,
}: Pick<ArmView, 'unrehearsed' | 'elsewhere' | 'before' | 'differences'>): readonly string[] => [
  ...(elsewhere === null ? [] : [`${elsewhere}.`]),
  'Lets the daemon trade with its configuration and code of now, within the limits below.',
  ...(unrehearsed
    ? ['Nothing was rehearsed at this service, a purchase and its sale, so this is refused: type `kairos rehearse PRODUCT --live` first.']
    : []),
  before === null
    ? 'No configuration was armed before.'
    : differences.length === 0
      ? `It is the same as ${before.who} armed on ${before.at}.`
      : `Changes since ${before.who} armed on ${before.at} come first.`,
];
