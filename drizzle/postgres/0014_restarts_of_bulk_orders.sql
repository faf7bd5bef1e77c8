ALTER TABLE "bulk_order_rows" ADD COLUMN "answer" text COLLATE "C";
--> statement-breakpoint
ALTER TABLE "bulk_order_rows" ADD COLUMN "back_after_ms" bigint;
--> statement-breakpoint
ALTER TABLE "bulk_parts" ADD COLUMN "restart" text COLLATE "C";
