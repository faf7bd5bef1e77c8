/** `.env.example` and `docs/configuration.md` as the table of settings says them; a test keeps the files equal. */
import type { Settings } from '../../src/config/config.ts'
import { type Environment, readSettings } from '../../src/config/read-settings.ts'
import { type AnySetting, settingGroups } from '../../src/config/settings.ts'

type Rows = readonly [keyof Settings, AnySetting][]

/** Every setting with its default, commented out: a copy named `.env` changes nothing until a line is uncommented. */
export function environmentExample(): string {
  const groups = Object.entries(settingGroups).map(([title, group]) => {
    const rows = Object.entries(group) as Rows
    return [`# ---- ${title} ----`, '', ...rows.flatMap(([member, setting]) => exampleLines(member, setting))].join(
      '\n',
    )
  })
  return `${[
    '# Settings of Pilotwire. Copy this file to .env and uncomment what differs from the default.',
    '# Any NAME can be given as NAME_FILE instead, with the path of a file that holds the value.',
    '',
    ...groups,
  ].join('\n')}`
}

function exampleLines(member: keyof Settings, setting: AnySetting): string[] {
  const fallback = defaults(member, setting)
  return [
    ...wrapped(setting.description, 110).map((line) => `# ${line}`),
    `# Expected: ${setting.expected}.`,
    `# Default: ${fallback.sentence.replaceAll('`', '')}.`,
    `# ${setting.name}=${fallback.value ?? setting.example}`,
    '',
  ]
}

/** The text of docs/configuration.md: a table of settings for each group. */
export function configurationPage(): string {
  const groups = Object.entries(settingGroups).map(([title, group]) => {
    const rows = Object.entries(group) as Rows
    return [
      `## ${title}`,
      '',
      '| Name | Meaning | Expected | Default | Example |',
      '|---|---|---|---|---|',
      ...rows.map(([member, setting]) => tableRow(member, setting)),
      '',
    ].join('\n')
  })
  return [introduction, ...groups].join('\n')
}

const introduction = `# Configuration

Generated from the table in \`src/config\`; a test keeps it equal.

Pilotwire is configured by environment variables; a file \`.env\` in the working directory is read as well, and the
environment wins over it. Everything has a default. A wrong value stops the start with exit code 3 and one line per
fault. A name that starts with \`PILOTWIRE_\` but is no setting is warned about. An empty value counts as not set.

Any \`NAME\` can be given as \`NAME_FILE\` instead, with the path of a file that holds the value; that is how secrets are
passed without showing up in the process list. \`pilotwire config print\` shows what is in force, \`pilotwire doctor\`
checks it.
`

function tableRow(member: keyof Settings, setting: AnySetting): string {
  const name = `\`${setting.name}\`${setting.secret ? ' (secret)' : ''}`
  const example = setting.secret ? setting.example : `\`${setting.example}\``
  const cells = [name, setting.description, setting.expected, defaults(member, setting).sentence, example]
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
}

/** The default as a sentence, and as a value where both modes agree on one. */
function defaults(member: keyof Settings, setting: AnySetting): { sentence: string; value?: string | undefined } {
  if (setting.defaultNote !== undefined) return { sentence: setting.defaultNote }
  const [development, production] = ['development', 'production'].map((mode) => shownDefault(member, setting, mode))
  if (development === undefined || production === undefined) return { sentence: 'not set' }
  if (development === production) return { sentence: `\`${development}\``, value: development }
  return { sentence: `development \`${development}\`, production \`${production}\`` }
}

function shownDefault(member: keyof Settings, setting: AnySetting, mode: string): string | undefined {
  const environment: Environment = { PILOTWIRE_MODE: mode }
  const value = readSettings(environment, () => '').settings?.[member]
  return value === undefined ? undefined : setting.show(value)
}

function wrapped(sentence: string, width: number): string[] {
  const lines = ['']
  for (const word of sentence.split(' ')) {
    const line = `${lines.at(-1)} ${word}`.trimStart()
    if (line.length > width) lines.push(word)
    else lines[lines.length - 1] = line
  }
  return lines
}
