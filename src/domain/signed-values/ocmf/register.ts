/** Which register an OBIS code names (OCMF 1.4.1, extended OBIS IDs; before 1.4 the codes of IEC 62056-6-1 alone). */

/** Energy that is imported, in the order of what is shown: totals first, and the car's before the mains'. */
const IMPORTS = ['b1', '1', 'b0', 'b3', 'b2']

/** Without leading zeros and without the storage number that says "now": one register, however it is written. */
export function registerName(identification = ''): string {
  return identification
    .slice(0, 64)
    .toLowerCase()
    .replaceAll(/\b0(?=[0-9a-f])/g, '')
    .replace(/[*.&](?:ff|255)$/, '')
}

/** The first of them that says what is imported, else the first. */
export function preferred(names: readonly string[]): string | undefined {
  const codes = names.map(quantity)
  const best = IMPORTS.find((code) => codes.includes(code))
  return names[best === undefined ? 0 : codes.indexOf(best)]
}

export function isImport(name: string): boolean {
  return IMPORTS.includes(quantity(name) ?? '')
}

/** C0 to C3 and what is reserved for more of it. */
export function isExport(identification: string | undefined): boolean {
  return /^(?:2|c[0-7])$/.test(quantity(registerName(identification)) ?? '')
}

/** OBIS group C of an energy. */
function quantity(name: string): string | undefined {
  return /(?:^|[:-])([0-9a-f]{1,2})\.8\./.exec(name)?.[1]
}
