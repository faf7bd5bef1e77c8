ALTER TABLE "users" ADD COLUMN "sign_in_epoch" bigint;
--> statement-breakpoint
ALTER TABLE "configurations" ADD COLUMN "grant_id" text COLLATE "C";
--> statement-breakpoint
ALTER TABLE "monitor_sets" ADD COLUMN "grant_id" text COLLATE "C";
