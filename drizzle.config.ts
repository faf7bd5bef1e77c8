import { defineConfig } from 'drizzle-kit'

/** `npx drizzle-kit generate --name <why>` writes the next migration into drizzle/; the server runs it at its start. */
export default defineConfig({
  dialect: 'sqlite',
  schema: ['./src/storage/schema/*.ts', './drizzle.records.cjs'],
  out: './drizzle',
})
