import { expect, it } from 'vitest'
import { EVENTS, isAboutSession } from './registry.ts'

const MADE_UP = { id: 'test_1', accountId: 'acc', chargePointId: 'CP-1', now: Date.UTC(2026, 7, 1, 12) }

it('HOOK-E1: docs/events.md is what the declarations say (print it anew with `npx vitest run src/domain/events/catalogue.test.ts -u`)', async () => {
  await expect(catalogue()).toMatchFileSnapshot('../../../docs/events.md')
})

function catalogue(): string {
  const rows = EVENTS.map(({ type, documentation: { summary } }) => `| [\`${type}\`](#${anchor(type)}) | ${summary} |`)
  const chapters = EVENTS.map(({ type, readBy, withheld, documentation, madeUp }) => {
    const reader = readBy === 'account' ? 'no application is sent it' : `an application needs the scope \`${readBy}\``
    const without = withheld.length === 0 ? '' : `, and is sent no ${withheld.map((name) => `\`${name}\``).join(', ')}`
    const subject = isAboutSession(type) ? 'a session' : `a charge point; ${reader}${without}`
    const example = JSON.stringify(madeUp(MADE_UP).data, undefined, 2)
    return `## ${type}\n\n${wrapped(documentation.description)}\n${wrapped(`About ${subject}.`)}\n\n\`\`\`json\n${example}\n\`\`\`\n`
  })
  return `# All events

Made from their declarations; \`/docs\` of a running server describes every member. A [webhook](webhooks.md) is sent
\`session.updated\` unless its \`events\` names others, and \`GET /2/events?type=\` reads those of one type. The envelope is
always the same; what follows is its \`data\`.

| type | what happened |
|---|---|
${rows.join('\n')}

${chapters.join('\n')}`
}

/** Lines of at most 120 columns. */
function wrapped(text: string): string {
  return text.replaceAll(/(?=.{121})(.{1,120}) /g, '$1\n')
}

/** As a heading is linked to. */
function anchor(type: string): string {
  return type.replaceAll('.', '')
}
