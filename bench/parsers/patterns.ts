/** Texts that parsers take longer for than their length says, when they do (OIDC-U9); each for any length. */

const filled = (piece: string, length: number): string =>
  piece.repeat(Math.ceil(length / piece.length)).slice(0, length)

/** Members, parameters or items that all differ, `make(0)make(1)…`. */
function distinct(length: number, make: (index: number) => string): string {
  const pieces: string[] = []
  for (let index = 0, size = 0; size < length; index++) {
    const piece = make(index)
    size += piece.length
    pieces.push(piece)
  }
  return pieces.join('')
}

export const patterns: Readonly<Record<string, (length: number) => string>> = {
  letters: (length) => filled('a', length),
  digits: (length) => `${filled('1', length - 1)}x`,
  'negative digits': (length) => `-${filled('1', length - 2)}x`,
  spaces: (length) => `a${filled(' ', length - 2)}a`,
  'only spaces': (length) => filled(' ', length),
  'line ends': (length) => filled('\r\n', length),
  quotes: (length) => filled('"', length),
  'an open quote and escaped ones': (length) => `"${filled('\\"', length - 1)}`,
  'escaped quotes in pairs': (length) => filled('\\"\\"', length),
  backslashes: (length) => `"${filled('\\', length - 1)}`,
  'backslashes before quotes': (length) => filled(`${'\\'.repeat(63)}"`, length),
  brackets: (length) => filled('[', length),
  'closed brackets': (length) => filled('[],', length),
  braces: (length) => filled('{"a":', length),
  commas: (length) => filled(',', length),
  semicolons: (length) => filled('a=1;', length),
  'semicolons and spaces': (length) => filled(';  ', length),
  'equal signs': (length) => filled('=', length),
  ampersands: (length) => filled('&', length),
  'the same parameter': (length) => filled('a=1&', length),
  'different parameters': (length) => distinct(length, (index) => `${index.toString(36)}&`),
  'percent signs': (length) => filled('%', length),
  'percent escapes': (length) => filled('%41', length),
  'broken escapes': (length) => filled('%E0%A4%A', length),
  slashes: (length) => filled('/', length),
  'dot segments': (length) => filled('/..', length),
  colons: (length) => filled('://a:', length),
  'addresses with passwords': (length) => filled('://a:b@', length),
  commercials: (length) => filled('@', length),
  dots: (length) => filled('.', length),
  hyphens: (length) => filled('-', length),
  tildes: (length) => filled('~1', length),
  'surrogate escapes': (length) => filled('\\ud800', length),
  'combining marks': (length) => filled('a\u0301\u0323', length),
  'combining marks in the wrong order': (length) => `a${filled('\u0301', length / 2)}${filled('\u0323', length / 2)}`,
  'control characters': (length) => filled('\u0001', length),
  weights: (length) => distinct(length, (index) => `x${index.toString(36)};q=0.${index},`),
  'private keys': (length) => filled('-----BEGIN PRIVATE KEY-----', length),
  'secret members': (length) => filled('"password":"', length),
}

/** Bodies that are JSON, with as much of something as fits. */
export const jsonBodies: Readonly<Record<string, (length: number) => string>> = {
  'members that do not exist': (length) => `{${distinct(length - 12, (index) => `"${index.toString(36)}":0,`)}"z":0}`,
  'the same member': (length) => `{${filled('"from":0,', Math.floor((length - 12) / 9) * 9)}"from":0}`,
  'a long list of methods': (length) => `{"from":"2026-01-01T00:00:00Z","method":[${filled('1,', length - 60)}1]}`,
  'a long list of ids': (length) => `{"evseControllers":[${distinct(length - 60, (i) => `"${i.toString(36)}",`)}"x"]}`,
  'a long filter': (length) =>
    `{"from":"2026-01-01T00:00:00Z","connectorId":{${distinct(length - 70, (i) => `"${i.toString(36)}":0,`)}"$eq":0}}`,
  'a long text': (length) => `{"from":"${filled('1', length - 11)}"}`,
  escapes: (length) => `{"from":"${filled('\\"', length - 12)}"}`,
  'characters in halves': (length) => `{"from":"${filled('\\ud83d\\ude00', length - 22)}"}`,
  'a long request': (length) =>
    `{"method":"X","request":{${distinct(length - 50, (i) => `"${i.toString(36)}":0,`)}"z":0}}`,
}
