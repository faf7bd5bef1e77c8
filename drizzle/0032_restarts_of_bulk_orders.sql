ALTER TABLE `bulk_order_rows` ADD `answer` text;--> statement-breakpoint
ALTER TABLE `bulk_order_rows` ADD `back_after_ms` integer;--> statement-breakpoint
ALTER TABLE `bulk_parts` ADD `restart` text;