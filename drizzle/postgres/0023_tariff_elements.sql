DROP INDEX "tariffs_account";
--> statement-breakpoint
ALTER TABLE "tariffs" ADD COLUMN "name" text COLLATE "C";
--> statement-breakpoint
ALTER TABLE "tariffs" ADD COLUMN "vat" text COLLATE "C";
--> statement-breakpoint
ALTER TABLE "tariffs" ADD COLUMN "elements" text COLLATE "C";
--> statement-breakpoint
ALTER TABLE "tariffs" ADD COLUMN "tax_included" text COLLATE "C";
--> statement-breakpoint
ALTER TABLE "tariffs" ADD COLUMN "min_price" text COLLATE "C";
--> statement-breakpoint
ALTER TABLE "tariffs" ADD COLUMN "max_price" text COLLATE "C";
--> statement-breakpoint
ALTER TABLE "tariffs" ADD COLUMN "type" text COLLATE "C";
--> statement-breakpoint
ALTER TABLE "tariffs" ADD COLUMN "tariff_alt_text" text COLLATE "C";
--> statement-breakpoint
CREATE UNIQUE INDEX "tariffs_account" ON "tariffs" USING btree ("account_id") WHERE charge_point_id IS NULL AND coalesce(name, '') = '' AND elements IS NULL;
