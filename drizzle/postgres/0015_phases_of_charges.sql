ALTER TABLE "charging_stations" ADD COLUMN "draws_on" text COLLATE "C";
