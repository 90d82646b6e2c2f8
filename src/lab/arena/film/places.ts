import type { RoomName } from '#lab/arena/server/film.ts';

const SERVICE = 'F05 F06 F07 F08 F09 F10 F11 F12 F13 F15 F19 F26 F27 F28 F29 F32 F33 F35 F36 F39 F44 F58';
const NETWORK = 'F01 F02 F03 F04 F21 F23 F24 F25 F30 F31 F34 F37 F38 F40';
const DISK = 'F41 F42 F46 F47 F48';

const PLACES: ReadonlyMap<string, RoomName> = new Map([
  ...SERVICE.split(' ').map((fault) => [fault, 'service'] as const),
  ...NETWORK.split(' ').map((fault) => [fault, 'network'] as const),
  ...DISK.split(' ').map((fault) => [fault, 'disk'] as const),
]);

/** The room in which a fault strikes; by default the machine of the daemon. */
export const placeOf = (fault: string): RoomName => PLACES.get(fault) ?? 'daemon';
