ALTER TABLE "partners" ADD COLUMN "tokens_pulled_at" bigint;
--> statement-breakpoint
CREATE INDEX "partners_partner_id" ON "partners" USING btree ("partner_id");
