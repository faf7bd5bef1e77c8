/** How a file is written: not too long, not too wide, and explained where others build on it. */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import ts from 'typescript'
import { expect, it } from 'vitest'

const COLUMNS = 120
const LINES = 400

/**
 * What others build on: the settings, the ports, the records and rules that every block gives to the rooms above, and
 * the library of the simulator, which is followed to where its names are declared.
 */
const SURFACES = [
  /^src\/config\/[^/]+\.ts$/,
  /^src\/domain\/(blocks|ports)\/[^/]+\.ts$/,
  /^src\/domain\/.*\/(records|queries)\.ts$/,
  /^simulator\/index\.ts$/,
]

/** What the checkout has and git does not ignore. */
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8' })
  .split('\n')
  .filter((file) => existsSync(file))
const program = files.filter((file) => /^(src|simulator|bench|test|scripts)\/.*\.(tsx?|mjs)$/.test(file))
// The list of changes is printed as it was written, a line for each.
const prose = files.filter((file) => file.endsWith('.md') && file !== 'CHANGELOG.md')

it('no file of the product or its tests is longer than 400 lines', () => {
  const long = program.filter((file) => linesOf(file).length > LINES)
  expect(long).toEqual([])
})

it('no module that test files share registers hooks of its own: only the first file of a worker would have them', () => {
  const shared = program.filter((file) => !/\.(test|browser)\.tsx?$/.test(file))
  const hooks = shared.flatMap((file) => placesOf(file, (line) => /^(before|after)(All|Each)\(/.test(line)))
  expect(hooks).toEqual([])
})

it('no comment is wider than 120 columns', () => {
  const wide = program.flatMap((file) =>
    placesOf(file, (line) => line.length > COLUMNS && /^\s*(\/\/|\/?\*)/.test(line)),
  )
  expect(wide).toEqual([])
})

it('no prose is wider than 120 columns; code, tables and a link alone on its line are what they are', () => {
  expect(prose.length).toBeGreaterThan(50)
  let isCode = false
  const wide = prose.flatMap((file) =>
    placesOf(file, (line) => {
      if (/^\s*(```|~~~)/.test(line)) isCode = !isCode
      return !isCode && line.length > COLUMNS && !/^\s*(\||!?\[[^\]]*\]\([^)]*\)$)/.test(line)
    }),
  )
  expect(wide).toEqual([])
})

it('API-E3: no two schemas have one name in the description, where the later would stand for both', () => {
  const names = files
    .filter((file) => /^src\/.*(?<!\.test)\.ts$/.test(file))
    .flatMap((file) => [...readFileSync(file, 'utf8').matchAll(/(?:\.openapi|\blistOf)\('(\w+)'/g)])
    .map(([, name]) => name)
  expect(names.length).toBeGreaterThan(150)
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
})

it('no literal is spread into a literal: its members stand there themselves', () => {
  // Only the few that may have one are parsed.
  const suspects = program.filter((file) => /\.\.\.\s*\{/.test(readFileSync(file, 'utf8')))
  const spread = suspects.flatMap((file) => spreadLiterals(file, parse(file)))
  expect(spread).toEqual([])
})

it('every name that a surface exports has a docstring', () => {
  const surfaces = files.filter(
    (file) => SURFACES.some((surface) => surface.test(file)) && !/test(ing)?\.ts$/.test(file),
  )
  expect(surfaces.length).toBeGreaterThan(60)
  expect(surfaces.flatMap(unexplained)).toEqual([])
})

/** Exported names without a docstring: declared in this file, or in the file that it exports them from. */
/** `{ ...{ a, b }, c }`: Node makes a class of its own for each such object, and readers look for the reason. */
function spreadLiterals(file: string, node: ts.Node): readonly string[] {
  const isSpread = ts.isSpreadAssignment(node) && ts.isObjectLiteralExpression(node.expression)
  const line = () => node.getSourceFile().getLineAndCharacterOfPosition(node.getStart()).line + 1
  const within: string[] = isSpread ? [`${file}:${line()}`] : []
  ts.forEachChild(node, (child) => void within.push(...spreadLiterals(file, child)))
  return within
}

function unexplained(file: string): readonly string[] {
  return parse(file).statements.flatMap((statement) => {
    if (ts.isExportDeclaration(statement)) return unexplainedAgain(file, statement)
    const isExported = ts.canHaveModifiers(statement) && ts.getModifiers(statement)?.some(isExport)
    if (!isExported || isDerived(statement) || ts.getJSDocCommentsAndTags(statement).length > 0) return []
    return namesOf(statement).map((name) => `${file}: ${name}`)
  })
}

function unexplainedAgain(file: string, { exportClause, moduleSpecifier }: ts.ExportDeclaration): readonly string[] {
  if (!exportClause || !ts.isNamedExports(exportClause) || !moduleSpecifier) return []
  const source = join(dirname(file), (moduleSpecifier as ts.StringLiteral).text)
  const names = exportClause.elements.map(({ name, propertyName }) => (propertyName ?? name).text)
  return unexplained(source).filter((place) => names.some((name) => place.endsWith(`: ${name}`)))
}

/** The record or the list that the type is made from has the docstring. */
function isDerived(statement: ts.Statement): boolean {
  return /^export type \w+ = (RecordOf<typeof \w+>|\(typeof \w+\)\[number\])$/.test(statement.getText())
}

const isExport = ({ kind }: ts.Modifier): boolean => kind === ts.SyntaxKind.ExportKeyword

function namesOf(statement: ts.Statement): readonly string[] {
  if (ts.isVariableStatement(statement)) return statement.declarationList.declarations.map(({ name }) => name.getText())
  return [(statement as ts.DeclarationStatement).name?.getText() ?? 'default']
}

function parse(file: string): ts.SourceFile {
  return ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true)
}

function linesOf(file: string): readonly string[] {
  return readFileSync(file, 'utf8').replace(/\n$/, '').split('\n')
}

function placesOf(file: string, isWrong: (line: string) => boolean): readonly string[] {
  return linesOf(file).flatMap((line, at) => (isWrong(line) ? [`${file}:${at + 1}`] : []))
}
