import { expect, it } from 'vitest'
import { configurationPage, environmentExample } from '../../test/support/settings-page.ts'
import { readSettings } from './read-settings.ts'
import { settingRows } from './settings.ts'

// SERVER-A1: what is generated from the table of settings
it('.env.example equals the table (update: npx vitest run src/config -u)', async () => {
  await expect(environmentExample()).toMatchFileSnapshot('../../.env.example')
})

it('docs/configuration.md equals the table', async () => {
  await expect(configurationPage()).toMatchFileSnapshot('../../docs/configuration.md')
})

it('the example names every setting, and its values are the defaults or legal', () => {
  for (const [, setting] of settingRows) {
    const line = environmentExample().match(new RegExp(`^# ${setting.name}=(.*)$`, 'm'))
    expect(line).not.toBeNull()
    if (!setting.secret) expect(setting.read(line?.[1] ?? '')).toBeDefined()
  }
  expect(readSettings({}, () => '').faults).toEqual([])
})
